import { runLaunchBench } from './launch.ts'

/** Prints what Paddock costs on this machine beside the bare tools, as ratios: `npm run bench`. */
void runLaunchBench()
