export { behindProxies, type ProxyOptions, trustOf } from './behind-proxies.ts'
