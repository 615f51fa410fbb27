/** From a source as a definition has it to how it is imported. */
import type { ImportSource, Source } from '@worldwright/server/publish'

/** How a source of a definition is read: everything of an import's source but the bytes. All its files get the same mapping. */
export function importSource(source: Source): Omit<ImportSource, 'source'> {
  const { type, format, delimiter, quote } = source
  return {
    type,
    mapping: source,
    ...(format !== undefined && { format }),
    ...(delimiter !== undefined && { delimiter }),
    ...(quote !== undefined && { quote }),
  }
}
