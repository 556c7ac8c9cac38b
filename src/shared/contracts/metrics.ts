import { raw, route, section } from '../route.ts'

/** Metrics are not in the specification (rulings, "Own endpoints"). */
export const metricsRoutes = section('Operations', {
  getMetrics: route('GET /metrics', 'public', {
    summary: "Get the metrics of this server in Prometheus' text format",
    reply: raw('text/plain; version=0.0.4; charset=utf-8', 'The metrics'),
  }),
})
