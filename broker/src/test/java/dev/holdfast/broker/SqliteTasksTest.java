package dev.holdfast.broker;

class SqliteTasksTest extends TasksContract {}
