"""Access to the app: the token of its address, the cookie that follows it, and the roles owner and visitor."""
