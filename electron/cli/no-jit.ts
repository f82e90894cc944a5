import * as z from 'zod/mini'

// Imported before any schema is made: compiling validators costs more than the few that one command runs can repay.
z.config({ jitless: true })
