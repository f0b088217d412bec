"""Knowledge bases out of files: STaRK's folders, tables of one's own, works of OpenAlex."""
