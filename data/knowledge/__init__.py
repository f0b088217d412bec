"""Knowledge bases: loaders, their files, and what is asked of them."""
