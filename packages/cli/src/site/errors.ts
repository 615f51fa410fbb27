const MESSAGES = {
  entity_not_found: 'There is no such entity.',
  unknown_type: 'This world has no such entity type; discovery lists those it has.',
  invalid_cursor: 'The cursor was not given by this list as it is now. Start again without a cursor.',
  invalid_parameter: 'limit is a whole number, 0 or more.',
  invalid_request: 'This request is not understood.',
  unknown_action: 'This world is files, and has no actions.',
  method_not_allowed: 'This world is files, and can only be read.',
  not_found: 'There is nothing at this address.',
} as const

/** Bodies of a file server's errors, in the form that Level 1 of the specification requires, by error code. */
export const SITE_ERRORS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(MESSAGES).map(([code, message]) => [code, JSON.stringify({ code, message, details: {} })]),
)
