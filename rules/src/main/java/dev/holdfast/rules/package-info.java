/**
 * The reviewer without a model. {@link dev.holdfast.rules.Rules} checks diffs against deterministic rules, each of
 * which reports lines and what is wrong with them; {@link dev.holdfast.rules.RuleReviewer} does so as a broker's
 * reviewer, and {@link dev.holdfast.rules.RulesCommand} by hand.
 */
@NullMarked
package dev.holdfast.rules;

import org.jspecify.annotations.NullMarked;
