/** Place for a check box in each row of a list. It is apart from what fills it, which readers do not load. */
import { signal } from '@preact/signals'
import type { Entity } from '@worldwright/client'
import type { FunctionComponent } from 'preact'

/** Check box for the rows of a list, while entities can be selected for editing. */
export const rowCheck = signal<FunctionComponent<{ entity: Entity }>>()
