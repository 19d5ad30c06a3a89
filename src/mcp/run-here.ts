/** A run that the conversation itself conducts, with its own subagents. */
import { tuttiError } from '../contracts/error.ts';
import type { Place } from './place.ts';
import type { Inputs } from './tools.ts';

/** Gives the text of the answer. */
export async function runHere(_place: Place, _input: Inputs['run']): Promise<string> {
  throw tuttiError('USAGE', {
    message: 'a run cannot be conducted by this conversation yet',
    next: 'Leave out `here`: the run gets its own agents, and this call waits for it.',
  });
}
