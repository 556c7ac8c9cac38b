import { raw, route } from '../route.ts'

/** Metrics are not in the specification (rulings, "Own endpoints"). */
export const metricsRoutes = {
  getMetrics: route('GET /metrics', 'public', {
    tag: 'Operations',
    summary: "Get the metrics of this server in Prometheus' text format",
    reply: raw('text/plain; version=0.0.4; charset=utf-8', 'The metrics'),
  }),
}
