/** From a source as a definition has it to how it is imported. */
import type { ImportSource, Source } from '@worldwright/server'

/** How a source of a definition is read: everything of an import's source but the bytes. */
export function importSource({
  type,
  format,
  delimiter,
  quote,
  file: _,
  ...mapping
}: Source): Omit<ImportSource, 'source'> {
  return {
    type,
    mapping,
    ...(format !== undefined && { format }),
    ...(delimiter !== undefined && { delimiter }),
    ...(quote !== undefined && { quote }),
  }
}
