import { config } from 'zod'

// Without it, zod tries to compile a function, which the content security policy of the desk refuses. The browser reports
// each refusal, which takes 20 ms at every start. It applies only to schemas that are made later.
config({ jitless: true })
