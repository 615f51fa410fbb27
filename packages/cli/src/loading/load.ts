/** Where the sources of a world are loaded: here where they are small, else apart. */
import { resolve } from 'node:path'
import { definedSources } from '@worldwright/server'
import type { Place } from '../open/place.ts'
import type { Settings } from '../open/settings.ts'
import type { Io } from '../terminal/io.ts'
import { apart } from './apart.ts'
import { loadSources } from './load-sources.ts'

/** Files of so many bytes together are loaded sooner than a thread has started. */
const SMALL_BYTES = 1_048_576

/** As `loadSources`, whose faults may have lost their class: tell them by name. Answers go on meanwhile. */
export async function load(place: Place, settings: Settings, again: boolean, io: Io): Promise<void> {
  const sources = await definedSources(place.definition, (file) => resolve(place.folder, file))
  const bytes = sources.reduce((sum, { source }) => sum + (source.size ?? Number.POSITIVE_INFINITY), 0)
  if (bytes <= SMALL_BYTES) await loadSources(place, settings, again, io)
  else await apart('loadSources', [place, settings, again], io)
}
