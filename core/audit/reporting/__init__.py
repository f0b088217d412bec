"""The search reported by the sixteen items of PRISMA-S, and the first numbers of a PRISMA 2020 flow."""
