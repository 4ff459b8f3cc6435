package dev.tidemark.transforms;

import dev.tidemark.event.Event;

/**
 * An event that came after its window had closed for good.
 *
 * @param event the event with its raw record
 * @param window the window that it missed; one too-late event for each
 */
public record TooLateEvent(Event event, ResultWindow window) {}
