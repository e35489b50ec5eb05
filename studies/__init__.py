# SPDX-License-Identifier: Apache-2.0
"""Papers reproduced and images proved: a folder each, with its commands and its page."""
