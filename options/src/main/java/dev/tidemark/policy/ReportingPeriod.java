package dev.tidemark.policy;

import java.io.Serializable;
import org.joda.time.Instant;

/**
 * One row of a reporting calendar: [start, end).
 *
 * @param id the period's name, {@code 2026-P07} say
 * @param start the first instant
 * @param end the first instant after it
 * @param calendarVersion the version of the calendar that the row belongs to
 */
public record ReportingPeriod(String id, Instant start, Instant end, String calendarVersion)
    implements Serializable {}
