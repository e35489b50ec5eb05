# SPDX-License-Identifier: Apache-2.0
"""Papers reproduced: a folder each, with its suite, its commands and its page."""
