/** `/robots.txt`: what programs that walk the web should leave alone, and where they get everything at once. */
import type { Route, WorldRequest } from '@worldwright/server'
import { SITEMAP_PATH } from '@worldwright/server/pages'
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
type RobotsSettings = Pick<Settings, 'private' | 'robots' | 'training' | 'pages' | 'publicUrl' | 'trustProxy'>

/** The route. `download` is where the whole world is one download; absent if there is none. */
export function robotsRoute(settings: RobotsSettings, apiPath: string, download: string | undefined): Route {
  const robots = settings.private ? 'none' : settings.robots
  const disallowed = { all: '', page: `${apiPath}/`, none: '/' }[robots]
  const text = (origin: string | undefined) =>
    [
      ...(download === undefined || robots === 'none'
        ? []
        : [`# The whole world is one download: ${download}`]),
      'User-agent: *',
      `Disallow:${disallowed === '' ? '' : ` ${disallowed}`}`,
      ...(settings.training === 'refuse' && robots !== 'none'
        ? ['', ...TRAINING.map((name) => `User-agent: ${name}`), 'Disallow: /']
        : []),
      ...(origin === undefined || robots === 'none' ? [] : ['', `Sitemap: ${origin}${SITEMAP_PATH}`]),
      '',
    ].join('\n')
  return {
    path: '/robots.txt',
    open: true,
    answers: ['text/plain'],
    methods: {
      GET: (request) => ({
        status: 200,
        headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
        body: text(settings.pages ? originOf(request, settings) : undefined),
      }),
    },
  }
}

/** The origin that sitemaps stand at; undefined where only headers name it. */
function originOf({ origin }: WorldRequest, { publicUrl, trustProxy }: RobotsSettings): string | undefined {
  return publicUrl ?? (trustProxy ? undefined : origin)
}
