mod import;
mod push;
