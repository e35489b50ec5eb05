# SPDX-License-Identifier: Apache-2.0
"""Other software on the same problems. Nothing here is needed to build, to test or to report."""
