import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { MODEL_FILES } from '@worldwright/semantic'
import type { Settings } from '../open/settings.ts'
import { UsageFault } from '../terminal/io.ts'
import type { SearchProcessOptions } from '../workers/search-process.ts'

/**
 * Returns the folder of the model and the types it reranks, or undefined if neither is set. Paths are relative to `folder`.
 * @throws UsageFault if only one of model and types is set, or if a model file is missing
 */
export function meaningFrom(
  { meaningModel, meaningTypes }: Pick<Settings, 'meaningModel' | 'meaningTypes'>,
  folder: string,
): SearchProcessOptions['meaning'] {
  if (meaningModel === undefined && meaningTypes.length === 0) return undefined
  if (meaningModel === undefined || meaningTypes.length === 0)
    throw new UsageFault(
      'meaningModel and meaningTypes belong together: a model, and the types whose hits it ranks.',
    )
  const found = resolve(folder, meaningModel)
  const missing = MODEL_FILES.find((name) => !existsSync(join(found, name)))
  if (missing !== undefined)
    throw new UsageFault(
      `meaningModel: there is no ${missing} in ${found}. A model is ${MODEL_FILES.join(' and ')}.`,
    )
  return { folder: found, types: meaningTypes }
}
