/** Whether content is approved, and who may approve it. Start at {@link dev.holdfast.review.approval.Approvals}. */
@NullMarked
package dev.holdfast.review.approval;

import org.jspecify.annotations.NullMarked;
