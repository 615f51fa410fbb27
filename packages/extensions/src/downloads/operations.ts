/** Operations of the downloads, as OpenAPI describes them. */
import { type Operation, queryParameter } from '@worldwright/core'
import type { DownloadFormat } from './download.ts'

/** Operation that lists the downloads. */
export const LIST: Operation = {
  id: 'downloads',
  summary: 'What can be taken at once',
  answers: {
    200: {
      description: 'Every download, with what its format cannot hold.',
      content: {
        'application/json': {
          type: 'object',
          required: ['downloads'],
          properties: {
            downloads: { type: 'array', items: { type: 'object', required: ['path', 'format'] } },
          },
        },
      },
    },
  },
  errors: [],
}

/** Returns the operation that takes a download in one of the formats. */
export function takeOperation(formats: readonly DownloadFormat[]): Operation {
  const endings = formats.map(({ name }) => `.${name}`).join(', ')
  const whole = formats.flatMap(({ name, holdsTypes }) => (holdsTypes ? [`world.${name}`] : []))
  const refused = ['not_found', 'invalid_parameter', 'invalid_type', 'unknown_type', 'damaged'] as const
  return {
    id: 'download',
    summary: `Everything as ${whole.join(', ')}, or a type as prefix:name${endings.replace(/, (?=[^,]*$)/, ' or ')}`,
    parameters: [queryParameter('titles', 'CSV: adds titles of references.', { enum: ['true', 'false'] })],
    answers: {
      200: {
        description: 'The file, from one snapshot.',
        content: Object.fromEntries(formats.map(({ mediaType }) => [plain(mediaType), {}])),
      },
      206: { description: 'The part that Range asks for.' },
    },
    errors: [...refused, 'precondition_failed'],
  }
}

/** Returns a media type without its parameters. */
export function plain(mediaType: string): string {
  return mediaType.split(';')[0] ?? mediaType
}
