int plugin(void);
int main(void) { return plugin(); }
