"""Writing new queries over a knowledge base with language models: sampled, asked, kept, and handed over."""
