"""Facts of an audit gathered from the workspace, and reports and bundles written as files."""
