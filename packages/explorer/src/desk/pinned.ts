/** Storage of the pinned views. */
import { createKept } from '../text/kept.ts'

/** Pinned views of each world, as JSON, kept in the browser. */
export const pinned = createKept('pins', () => localStorage)
