/** Faults that a deployment can have, and the settings of the world or its proxy that fix them. */

/** Proxies with specific advice. `cdn` is a content delivery network such as Cloudflare. */
export type ProxyKind = 'nginx' | 'caddy' | 'haproxy' | 'apache' | 'cdn'

/** Settings that fix a finding, for the world and for each kind of proxy. */
export interface Advice {
  /** Advice for the world; absent if its settings cannot cause the fault. `{origin}` stands for the examined origin. */
  readonly world?: string
  readonly proxies?: Readonly<Partial<Record<ProxyKind, string>>>
}

/** Advice for each finding, by name. */
export const ADVICE = {
  unreachable: {
    world: 'Is it running? Is the name in the DNS, and the port open? serve listens at --host and --port.',
  },
  upstream_down: {
    world: 'Start the world, and see that it listens where the proxy looks for it: --host, --port.',
    proxies: {
      nginx: 'server HOST:PORT in upstream, or the address in proxy_pass',
      caddy: 'reverse_proxy HOST:PORT',
      haproxy: 'server world HOST:PORT in the backend',
      apache: 'ProxyPass / http://HOST:PORT/ nocanon',
      cdn: 'the address of the origin server',
    },
  },
  redirected: {
    world: 'Give readers the address that it leads to. Clients follow no redirect to another origin.',
    proxies: { nginx: 'server_name and return 301', cdn: 'rules that redirect' },
  },
  not_the_world: {
    proxies: {
      nginx:
        'one location / with proxy_pass; no root, try_files or other location for /.well-known/ and the API',
      caddy: 'reverse_proxy without a matcher, or one that takes /.well-known/world.json and the API',
      haproxy: 'default_backend, or an acl that takes /.well-known/world.json and the API',
      apache: 'ProxyPass / and nothing that excludes /.well-known/ but the path of ACME',
      cdn: 'page rules that answer instead of the origin server',
    },
  },
  path: {
    world:
      'Examine it by its host once /.well-known/world.json and the API arrive there with unchanged targets.',
  },
  login: {
    world: 'For a world that only some may read: --private and tokens. Discovery stays open.',
    proxies: { nginx: 'auth_basic off', caddy: 'no basic_auth', apache: 'Require all granted' },
  },
  certificate: {
    proxies: {
      nginx: 'ssl_certificate with the whole chain, for this name',
      caddy: 'the name as the address of the site: Caddy gets the certificate',
      haproxy: 'bind :443 ssl crt FILE, the chain in FILE',
      apache: 'SSLCertificateFile with the whole chain',
      cdn: 'a certificate for this name',
    },
  },
  certificate_ends: { proxies: { nginx: 'renew it: certbot renew', haproxy: 'renew it, and reload' } },
  plain: {
    world: 'Tokens and data can be read on the way.',
    proxies: {
      nginx: 'listen 443 ssl',
      caddy: 'the name without http://',
      haproxy: 'bind :443 ssl crt FILE',
      apache: 'SSLEngine on',
      cdn: 'always use HTTPS',
    },
  },
  address: {
    world: '--public-url {origin}: the address that readers use. --api-url where the API has another one.',
  },
  api_unreachable: {
    world: '--public-url or --api-url names an address that does not answer with this world.',
  },
  forwarded: {
    world: 'Use --public-url instead of --trust-proxy where there is one address.',
    proxies: {
      nginx: 'proxy_set_header X-Forwarded-Host $http_host; proxy_set_header X-Forwarded-Proto $scheme;',
      caddy: 'no trusted_proxies that includes everybody',
      haproxy: 'http-request set-header X-Forwarded-Host %[req.hdr(Host)]',
      apache: 'RequestHeader unset X-Forwarded-Host early',
      cdn: 'a rule that removes X-Forwarded-Host from requests',
    },
  },
  encoded_slash: {
    proxies: {
      nginx: 'proxy_pass http://world; with nothing behind the name, no rewrite, no $uri',
      caddy: 'no rewrite and no uri directive',
      haproxy: 'no http-request normalize-uri',
      apache: 'AllowEncodedSlashes NoDecode, and nocanon behind ProxyPass',
      cdn: 'normalise URLs: off, also towards the origin server',
    },
  },
  encoded_colon: {
    proxies: {
      nginx: 'no rewrite and no $uri in proxy_pass',
      haproxy: 'no http-request set-path, no normalize-uri',
      apache: 'nocanon behind ProxyPass',
      cdn: 'normalise URLs: off',
    },
  },
  query: {
    proxies: {
      nginx: 'no $uri in proxy_pass: it leaves the query out; $request_uri has it',
      haproxy: 'no http-request set-query',
      apache: 'no [QSD] in a RewriteRule',
      cdn: 'no rule that removes query strings',
    },
  },
  cors: {
    proxies: {
      nginx: 'no proxy_hide_header and no add_header for Access-Control-Allow-Origin',
      caddy: 'no header directive for Access-Control-Allow-Origin',
      haproxy: 'no http-response set-header or del-header for it',
      apache: 'no Header directive for it',
      cdn: 'no transform rule for it',
    },
  },
  preflight: {
    proxies: {
      nginx: 'no limit_except and no if that answers OPTIONS',
      caddy: 'no method matcher before reverse_proxy',
      haproxy: 'no http-request deny if METH_OPTIONS',
      apache: 'no Limit or LimitExcept that leaves OPTIONS out',
      cdn: 'let OPTIONS reach the origin server',
    },
  },
  methods: {
    proxies: {
      nginx: 'no limit_except; dav_methods off',
      caddy: 'no method matcher',
      haproxy: 'no http-request deny unless METH_GET',
      apache: 'no LimitExcept',
      cdn: 'firewall rules that block PUT, PATCH and DELETE',
    },
  },
  errors: {
    proxies: {
      nginx: 'proxy_intercept_errors off',
      caddy: 'no handle_response or handle_errors for answers of the world',
      haproxy: 'no http-response return or http-error for statuses of the world',
      apache: 'ProxyErrorOverride Off',
      cdn: 'custom error pages only for 52x',
    },
  },
  small_body: {
    proxies: {
      nginx: 'client_max_body_size 1m, or 0 where bulk writes come through',
      caddy: 'request_body max_size above 64KB',
      apache: 'LimitRequestBody 0',
      cdn: 'a larger limit for uploads',
    },
  },
  small_uploads: {
    proxies: {
      nginx: 'client_max_body_size 0',
      caddy: 'no request_body max_size on the operator API',
      haproxy: 'no http-request deny by req.body_size',
      apache: 'LimitRequestBody 0',
      cdn: 'upload past it: the origin server has an address of its own',
    },
  },
  small_headers: {
    proxies: {
      nginx: 'large_client_header_buffers 4 16k',
      caddy: 'servers { max_header_size 16KB }',
      haproxy: 'tune.bufsize 32768',
      apache: 'LimitRequestFieldSize 16384',
    },
  },
  small_target: {
    proxies: {
      nginx: 'large_client_header_buffers 4 16k',
      haproxy: 'tune.bufsize 32768',
      apache: 'LimitRequestLine 16384',
    },
  },
  tags: {
    proxies: {
      nginx: 'no proxy_hide_header ETag, no sub_filter; If-None-Match must be passed on',
      caddy: 'no header -ETag',
      haproxy: 'no http-response del-header ETag, no http-request del-header If-None-Match',
      apache: 'no Header unset ETag, no mod_deflate for the world (it changes tags)',
      cdn: 'respect strong and weak ETags: on; no minifying',
    },
  },
  caching: {
    proxies: {
      nginx: 'no expires, no add_header Cache-Control, no proxy_ignore_headers Cache-Control',
      caddy: 'no header Cache-Control',
      haproxy: 'no http-response set-header Cache-Control; no cache-use for the world',
      apache: 'ExpiresActive Off for the world',
      cdn: 'browser and edge cache: respect the headers of the origin server',
    },
  },
  not_compressed: {
    proxies: {
      nginx: 'no proxy_set_header Accept-Encoding; no gunzip',
      caddy: 'no header_up -Accept-Encoding',
      haproxy: 'no http-request del-header Accept-Encoding',
      apache: 'no RequestHeader unset Accept-Encoding',
      cdn: 'compression: on',
    },
  },
  vary: {
    proxies: {
      nginx: 'gzip_vary on, where nginx compresses by itself',
      haproxy: 'leave compression to the world',
      apache: 'no Header unset Vary',
      cdn: 'no rule that removes Vary',
    },
  },
  clock: { world: 'Let the machine keep its time: systemd-timesyncd or chrony.' },
  behind: {
    world:
      'See why it cannot follow: its log, /ready and /metrics beside it (--admin-port). With --max-lag, a balancer that asks /ready sends readers elsewhere.',
  },
  buffered: {
    proxies: {
      nginx: 'no proxy_ignore_headers X-Accel-Buffering, no gzip for text/event-stream',
      caddy: 'flush_interval -1',
      haproxy: 'no option http-buffer-request, no compression of text/event-stream',
      apache: 'SetEnv proxy-sendchunked, no mod_deflate for text/event-stream',
      cdn: 'response buffering: off',
    },
  },
  exposed: {
    world: 'The listener of --admin-port is for the machine itself: leave --admin-host on loopback.',
    proxies: {
      nginx: 'no location that leads to the admin port',
      caddy: 'no reverse_proxy to the admin port',
      haproxy: 'no backend with the admin port',
      apache: 'no ProxyPass to the admin port',
    },
  },
  request_id: {
    proxies: {
      nginx: 'no proxy_set_header Request-Id "" and no proxy_hide_header Request-Id',
      haproxy: 'no http-request del-header Request-Id',
    },
  },
  authorization: {
    proxies: {
      nginx: 'no proxy_set_header Authorization; no auth_basic',
      caddy: 'no header_up -Authorization, no basic_auth',
      haproxy: 'no http-request del-header Authorization, no http-request auth',
      apache: 'CGIPassAuth On, no RequestHeader unset Authorization',
      cdn: 'no rule that removes Authorization',
    },
  },
  private_cached: {
    proxies: {
      nginx:
        'no proxy_cache for a private world, or proxy_cache_bypass $http_authorization; proxy_no_cache $http_authorization;',
      caddy: 'no cache plugin for a private world',
      haproxy: 'no cache-use for a private world',
      apache: 'CacheDisable /',
      cdn: 'bypass the cache where there is Authorization',
    },
  },
} as const satisfies Record<string, Advice>

/** Name of a finding in `ADVICE`. */
export type FindingName = keyof typeof ADVICE
