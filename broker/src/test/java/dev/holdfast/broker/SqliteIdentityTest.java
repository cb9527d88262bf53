package dev.holdfast.broker;

class SqliteIdentityTest extends IdentityContract {}
