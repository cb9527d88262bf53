/**
 * The reviewer without a model. {@link dev.holdfast.rules.Rules} holds diffs against deterministic rules, each of which
 * says at which line what is wrong; {@link dev.holdfast.rules.RuleReviewer} does so as a reviewer of a broker, and
 * {@link dev.holdfast.rules.RulesCommand} by hand.
 */
@NullMarked
package dev.holdfast.rules;

import org.jspecify.annotations.NullMarked;
