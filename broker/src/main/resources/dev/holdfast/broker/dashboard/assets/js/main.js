// What every page needs, one concern per file.
import './live.js';
import './arrivals.js';
import './times.js';
import './keys.js';
import './palette.js';
import './actions.js';
import './select.js';
import './diff.js';
import './follow.js';
import './complete.js';
