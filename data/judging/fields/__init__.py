"""What is to be judged: what retrievers, query versions and search engines answered."""
