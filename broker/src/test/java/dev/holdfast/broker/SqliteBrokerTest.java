package dev.holdfast.broker;

class SqliteBrokerTest extends BrokerContract {}
