/** Storage of the entities to compare. */
import { createKept } from '../text/kept.ts'

/** Entities to compare in each world, as JSON, kept until the tab is closed. */
export const compared = createKept('compare', () => sessionStorage)
