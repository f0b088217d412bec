"""Whether a judge is to be believed: beside people, beside itself, beside other judges, and when it is led astray."""
