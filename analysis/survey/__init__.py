# SPDX-License-Identifier: Apache-2.0
"""One's own machine beside those whose records are committed."""
