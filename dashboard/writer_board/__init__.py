"""The view "Sort" of the page Writer without the page: lists, the way back, and the answers to what is asked."""
