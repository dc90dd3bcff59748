// What the build knows of its source: set by the manifest.
#pragma once
// The commit's hash, with "+" where the tree had changes; "unknown" outside a git checkout.
const char *rawmill_source_revision(void);
