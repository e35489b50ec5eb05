# SPDX-License-Identifier: Apache-2.0
"""Records as they lie in files: read, named, written again, and which of them count."""
