/** `/robots.txt`: what programs that walk the web should leave alone, and where they get everything at once. */
import type { Extension } from '@worldwright/core'
import { SITEMAP_PATH } from '@worldwright/extensions/pages'
import type { Settings } from '../open/settings.ts'

/** Those who collect data to train models with, as they call themselves. */
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

/** What the route needs to know of the settings. */
type RobotsSettings = Pick<Settings, 'private' | 'robots' | 'training' | 'pages'>

/** Serves the file. `download`: the address of the whole world as one download; absent if there is none. */
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
            // Sitemaps stand where the world itself says it is, and not where a header says so.
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
