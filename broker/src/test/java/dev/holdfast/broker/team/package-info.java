/** Several brokers on one PostgreSQL behind a balancer, as a team runs them, and what can happen to them. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.broker.team;
