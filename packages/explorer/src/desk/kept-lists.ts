/** Storage of the entities to compare and of the pinned views. */
import { createKept } from '../text/kept.ts'

/** Entities to compare in each world, as JSON, kept until the tab is closed. */
export const compared = createKept('compare', () => sessionStorage)

/** Pinned views of each world, as JSON, kept in the browser. */
export const pinned = createKept('pins', () => localStorage)
