import { config } from 'zod/v4'

// Without it, zod tries to compile a function, which the content security policy of the desk refuses. The browser reports
// each refusal, which takes 20 ms. `zod` is an alias of this module, so it applies to all schemas.
config({ jitless: true })

export * from 'zod/v4'
