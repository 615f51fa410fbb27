/** Query components, each loaded on first use, except those of the first page. */
import { loaded } from '../parts/loaded.tsx'

export { TypePicture } from './type-picture.tsx'

/** The filters beside a list. */
export const AskPanel = loaded(async () => (await import('./ask-panel.tsx')).AskPanel)

/** Chips for the active filters. */
export const FilterChips = loaded(async () => (await import('./filter-chips.tsx')).FilterChips)

/** The entities that refer to an entity. */
export const Referrers = loaded(async () => (await import('./referrers.tsx')).Referrers)

/** Links from search results across several types to the list of a single type. */
export const RefineTypes = loaded(async () => (await import('./refine-types.tsx')).RefineTypes)

/** Links to the previous and the next entity. */
export const Neighbours = loaded(async () => (await import('./neighbours.tsx')).Neighbours)
