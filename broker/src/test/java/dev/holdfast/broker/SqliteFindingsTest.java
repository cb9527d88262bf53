package dev.holdfast.broker;

class SqliteFindingsTest extends FindingsContract {}
