package dev.tidemark.benchmarks.plain;

/**
 * One event. Fields that the job does not need are empty or 0.
 *
 * @param time in milliseconds since the epoch
 */
public record Click(long time, String url, String user, long bytes) {}
