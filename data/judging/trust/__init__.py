"""Whether to believe a judge: samples asked again, people, other judges, regions."""
