import type { Extension } from '@worldwright/core'
import { SITEMAP_PATH } from '@worldwright/extensions/pages'
import type { Settings } from '../open/settings.ts'

/** User agents of crawlers that collect training data. */
const TRAINING = [
  'AI2Bot',
  'Amazonbot',
  'Applebot-Extended',
  'Bytespider',
  'CCBot',
  'ClaudeBot',
  'cohere-training-data-crawler',
  'Google-Extended',
  'GPTBot',
  'meta-externalagent',
]

type RobotsSettings = Pick<Settings, 'private' | 'robots' | 'training' | 'pages'>

/** Creates the extension. `download` is the URL of the whole-world download, or undefined if there is none. */
export function robots(settings: RobotsSettings, download: string | undefined): Extension {
  const allowed = settings.private ? 'none' : settings.robots
  const textOf = (apiPath: string, origin: string | undefined) =>
    [
      ...(download === undefined || allowed === 'none'
        ? []
        : [`# The whole world is one download: ${download}`]),
      'User-agent: *',
      `Disallow:${{ all: '', page: ` ${apiPath}/`, none: ' /' }[allowed]}`,
      ...(settings.training === 'refuse' && allowed !== 'none'
        ? ['', ...TRAINING.map((name) => `User-agent: ${name}`), 'Disallow: /']
        : []),
      ...(origin === undefined || allowed === 'none' ? [] : ['', `Sitemap: ${origin}${SITEMAP_PATH}`]),
      '',
    ].join('\n')
  return (mount) => ({
    name: 'worldwright:robots',
    routes: [
      {
        path: '/robots.txt',
        open: true,
        answers: ['text/plain'],
        methods: {
          GET: (request) => {
            // Sitemap URLs use the configured origin, never one taken from a request header.
            const { url, fromHeaders } = mount.origin(request)
            return {
              status: 200,
              headers: {
                'content-type': 'text/plain; charset=utf-8',
                'cache-control': 'public, max-age=3600',
              },
              body: textOf(mount.apiPath, settings.pages && !fromHeaders ? url : undefined),
            }
          },
        },
      },
    ],
  })
}
